import { useEffect, useMemo, useState } from "preact/hooks";
import { callsWith } from "../../browser/api.ts";
import { failureMessage } from "../../browser/failureMessage.ts";
import { Rejection } from "../../browser/failures.ts";
import { Notice } from "../../browser/parts.tsx";
import { useAction } from "../../browser/useAction.ts";
import { Console } from "./console.tsx";
import { clientOf } from "./operations.ts";
import { Foot, Top } from "./parts/layout.tsx";
import { beginSignIn, finishSignIn, type Institution, isReturn, SignInFailure } from "./signIn.ts";
import { ShortNameScreen, SignInScreen } from "./signInScreen.tsx";
import { readSession, storage } from "./storage.ts";

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

function InstitutionPage({ operator, support, api, shortName }: Settings & { shortName: string }) {
  const client = useMemo(() => clientOf(callsWith(undefined, api), ""), [api]);
  const { isBusy, problem, run } = useAction((failure) =>
    failure instanceof SignInFailure ? failure.message : failureMessage(failure, support),
  );
  const [stored, setStored] = useState(() => readSession(shortName));
  const [isReturning, setReturning] = useState(() => isReturn(new URL(location.href)));
  /** Null if no institution has the short name; undefined until it is read. */
  const [institution, setInstitution] = useState<Institution | null>();
  /** The reason of the end of the last session; empty if the person signed out. */
  const [end, setEnd] = useState<string>();

  async function find() {
    const found = await client("getSignIn", { path: { short_name: shortName } }).catch((failure) => {
      if (failure instanceof Rejection && (failure.status === 404 || failure.status === 422)) return null;
      throw failure;
    });
    const read = found && { ...found, shortName, api };
    setInstitution(read);
    return read;
  }
  function begin() {
    setEnd(undefined);
    return run(async () => {
      const found = institution ?? (await find());
      if (found) await beginSignIn(found, location.hash);
    });
  }

  useEffect(() => {
    const address = new URL(location.href);
    const look = async () => {
      const found = await find();
      if (!found || !isReturning) return;
      // The code in the address is of no use after its exchange, and stays out of the history.
      history.replaceState(null, "", address.pathname + (storage.read("begun")?.place ?? ""));
      setStored(await finishSignIn(client, found, address));
    };
    if (!stored || isReturning) void run(look).finally(() => setReturning(false));
  }, []);

  function leave(reason: string) {
    setStored(undefined);
    setEnd(reason);
    // The problem of an earlier renewal is of no interest any more.
    void run(async () => void (institution ?? (await find())));
  }
  async function renew() {
    setStored(undefined);
    await begin();
    // A session that is still valid goes on until its end if the sign-in cannot begin.
    const kept = readSession(shortName);
    setStored(kept && { ...kept, renewsAt: kept.expiresAt });
  }

  if (stored && !isReturning)
    return <Console key={stored.token} api={api} support={support} stored={stored} renew={renew} leave={leave} />;
  return <Before operator={operator}>{signIn()}</Before>;

  function signIn() {
    if (institution === null) return <ShortNameScreen api={api} unknown={shortName} />;
    if (institution && !isReturning)
      return (
        <SignInScreen
          institution={institution}
          problem={problem ?? end}
          wasSignedOut={end === ""}
          isBusy={isBusy}
          begin={begin}
        />
      );
    if (!problem) return <p role="status">One moment, please.</p>;
    return (
      <Notice kind="problem">
        <h1>The sign-in could not be loaded</h1>
        <p>{problem}</p>
        <button type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </Notice>
    );
  }
}
