import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { callsWith } from "../../browser/api.ts";
import { LinkScreen } from "./linkScreen.tsx";
import { Onboard } from "./onboard.tsx";
import type { Session } from "./session.tsx";
import { takeToken } from "./token.ts";

/** The page: the onboarding of the invited business, or the form for a new link. */
export function App({ operator, support }: Pick<Session, "operator" | "support">) {
  const [token, setToken] = useState(takeToken);
  const [isRejected, setRejected] = useState(false);
  const call = useMemo(() => callsWith(token), [token]);
  const reject = useCallback(() => setRejected(true), []);

  // The visitor may open another link in the same tab.
  useEffect(() => {
    const look = () => {
      const found = takeToken();
      if (found === token) return;
      setToken(found);
      setRejected(false);
    };
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, [token]);

  if (!token || isRejected) return <LinkScreen wasRejected={isRejected} support={support} />;
  return <Onboard key={token} call={call} operator={operator} support={support} onRejected={reject} />;
}
