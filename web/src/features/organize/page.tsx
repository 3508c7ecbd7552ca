/** The organizers' part of the site: its pages in one frame, and the doors that lead to it. */
import { type ReactNode, Suspense, useInsertionEffect } from "react";
import { codeOf } from "../../api/organize";
import { useOrganizeMessages } from "../../messages/organize/words";
import { useAddress } from "../../navigate";
import { Loading } from "../../ui/loading/loading";
import { ActingProvider } from "./change/acting";
import { Frame } from "./frame/frame";
import { KeysProvider } from "./frame/keys";
import sheetUrl from "./frame/organize-pages.css?url";
import { GateProvider } from "./gate";
import { ACCOUNT, DOORS, FRAMED, needsOf } from "./pages";
import { useMe } from "./queries";
import { Failed } from "./refused";

/** Who is signed in is known before anything is shown: it decides what there is. */
function SignedIn({ children }: { children: ReactNode }) {
  const words = useOrganizeMessages();
  const me = useMe();
  if (me.data) return children;
  if (!me.error || codeOf(me.error) === "login_needed") return <Loading label={words.loading} />;
  return (
    <>
      <h1>{words.signIn.title}</h1>
      <Failed error={me.error} onRetry={() => void me.refetch()} />
    </>
  );
}

function PageOf({ path }: { path: string }) {
  const { pages, loading } = useOrganizeMessages();
  const acts = useMe().data?.acts ?? [];
  const Page = FRAMED.get(path);
  const needs = needsOf(path);
  if (!Page || (path !== ACCOUNT && !acts.some((act) => act === needs))) {
    return <h1>{pages.missing}</h1>;
  }
  return (
    <Suspense fallback={<Loading label={loading} />}>
      <Page key={path} />
    </Suspense>
  );
}

/** Links the sheet of these pages, which arrives while it is asked who is signed in. */
function linkSheet(): void {
  if (document.querySelector(`link[href="${sheetUrl}"]`)) return;
  document.head.append(
    Object.assign(document.createElement("link"), { rel: "stylesheet", href: sheetUrl }),
  );
}

export default function OrganizePage() {
  const { path } = useAddress();
  useInsertionEffect(linkSheet, []);
  const Door = DOORS.get(path);
  if (Door) return <Door />;
  return (
    <GateProvider>
      <SignedIn>
        <KeysProvider>
          <ActingProvider>
            <Frame>
              <PageOf path={path} />
            </Frame>
          </ActingProvider>
        </KeysProvider>
      </SignedIn>
    </GateProvider>
  );
}
