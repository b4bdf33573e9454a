import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { callsWith } from "../../browser/api.ts";
import { failureMessage } from "../../browser/failureMessage.ts";
import { Rejection } from "../../browser/failures.ts";
import { Notice } from "../../browser/parts.tsx";
import { clientOf } from "./client.ts";
import { Console } from "./console.tsx";
import { Foot, Top } from "./parts/top.tsx";
import { beginSignIn, finishSignIn, type Institution, isReturn, SignInFailure } from "./signIn.ts";
import { ShortNameScreen, SignInScreen } from "./signInScreen.tsx";
import { type StoredSession, storage } from "./storage.ts";

/** The stage's settings that the page shows. */
export interface Settings {
  operator: string;
  privacy: string;
  support: string;
  api: string;
  shortName: string | undefined;
}

/** The page: the console of an institution, its sign-in, or the form for its short name. */
export function App(settings: Settings) {
  const { operator, privacy, api, shortName } = settings;
  return (
    <>
      {shortName === undefined ? (
        <Before operator={operator}>
          <ShortNameScreen api={api} />
        </Before>
      ) : (
        <InstitutionPage {...settings} shortName={shortName} />
      )}
      <Foot operator={operator} privacy={privacy} />
    </>
  );
}

/** The frame of the screens before the sign-in. */
function Before({ operator, children }: { operator: string; children: preact.ComponentChildren }) {
  return (
    <>
      <Top name={operator} />
      <main class="frame" id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** The institution is unknown (null), not read yet (undefined), or the failure of its reading. */
type Found = Institution | { failure: string } | null | undefined;

const isInstitution = (found: Found): found is Institution => !!found && "issuer" in found;

function InstitutionPage({ operator, support, api, shortName }: Settings & { shortName: string }) {
  const client = useMemo(() => clientOf(callsWith(undefined, api), ""), [api]);
  const [stored, setStored] = useState(() => readSession(shortName));
  const [institution, setInstitution] = useState<Found>();
  const [problem, setProblem] = useState<string>();
  const [isReturning] = useState(() => isReturn(new URL(location.href)));
  const [isBusy, setBusy] = useState(isReturning);
  const [isSignedOut, setSignedOut] = useState(false);

  const explain = useCallback(
    (failure: unknown) => (failure instanceof SignInFailure ? failure.message : failureMessage(failure, support)),
    [support],
  );

  const find = useCallback(
    () =>
      client("getSignIn", { path: { short_name: shortName } }).then(
        (found): Institution => ({ ...found, shortName, api }),
      ),
    [client, shortName, api],
  );

  /** Finds the institution, or the reason why it is not found, and shows it. */
  const lookUp = useCallback(async () => {
    const found = await find().catch((failure): Found => {
      const isUnknown = failure instanceof Rejection && (failure.status === 404 || failure.status === 422);
      return isUnknown ? null : { failure: explain(failure) };
    });
    setInstitution(found);
    return found;
  }, [find, explain]);

  const begin = useCallback(async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const found = isInstitution(institution) ? institution : await find();
      setInstitution(found);
      await beginSignIn(found, location.hash);
    } catch (failure) {
      setProblem(explain(failure));
      setBusy(false);
    }
  }, [institution, find, explain]);

  useEffect(() => {
    const address = new URL(location.href);
    const finish = async (found: Institution) => {
      // The code in the address is of no use after its exchange, and stays out of the history.
      history.replaceState(null, "", address.pathname);
      const { session, place } = await finishSignIn(client, found, address);
      history.replaceState(null, "", address.pathname + place);
      setStored(session);
    };
    const look = async () => {
      const found = await lookUp();
      if (isInstitution(found) && isReturning) await finish(found).catch((failure) => setProblem(explain(failure)));
      setBusy(false);
    };
    if (!stored || isReturning) void look();
  }, []);

  const leave = useCallback(
    (reason: string | undefined) => {
      setStored(undefined);
      setProblem(reason);
      setSignedOut(reason === undefined);
      void lookUp();
    },
    [lookUp],
  );
  const renew = useCallback(() => {
    setStored(undefined);
    void begin();
  }, [begin]);

  if (stored && !isBusy)
    return <Console key={stored.token} api={api} support={support} stored={stored} renew={renew} leave={leave} />;
  return <Before operator={operator}>{signIn()}</Before>;

  function signIn() {
    if (institution === null) return <ShortNameScreen api={api} unknown={shortName} />;
    if (institution === undefined || (isReturning && isBusy)) return <p role="status">One moment, please.</p>;
    if ("failure" in institution)
      return (
        <Notice kind="problem">
          <h1>The sign-in could not be loaded</h1>
          <p>{institution.failure}</p>
          <button type="button" onClick={() => location.reload()}>
            Try again
          </button>
        </Notice>
      );
    return (
      <SignInScreen
        institution={institution}
        problem={problem}
        wasSignedOut={isSignedOut}
        isBusy={isBusy}
        begin={begin}
      />
    );
  }
}

/** The session of this tab at an institution, unless it has expired. */
function readSession(shortName: string): StoredSession | undefined {
  const stored = storage.read("session");
  return stored && stored.shortName === shortName && stored.expiresAt > Date.now() ? stored : undefined;
}
