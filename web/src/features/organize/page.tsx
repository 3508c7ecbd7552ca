/** The organizers' part of the site: its pages in one frame, and the doors that lead to it. */
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useInsertionEffect, useRef } from "react";
import { LIVE_KEY } from "../../api/organize-live";
import { useLanguage } from "../../messages/language";
import { useOrganizeMessages } from "../../messages/organize/words";
import { useAddress } from "../../navigate";
import { Loading } from "../../ui/loading/loading";
import { choosePreference, ORGANIZER } from "../../ui/preference/preference";
import { ActingProvider } from "./change/acting";
import editorSheetUrl from "./editor/organize-pages-editor.css?url";
import { ChannelProvider } from "./frame/channel";
import { Frame } from "./frame/frame";
import sheetUrl from "./frame/organize-pages.css?url";
import { GateProvider } from "./gate";
import { ACCOUNT, DOORS, framedAt } from "./pages";
import { useMe } from "./queries";
import { Read } from "./refused";

/** Who is signed in is known before anything is shown: it decides what there is. */
function SignedIn({ children }: { children: ReactNode }) {
  const words = useOrganizeMessages();
  const me = useMe();
  const isIn = me.data !== undefined;
  // The rest of the site links to these pages for organizers.
  useEffect(() => {
    if (isIn) choosePreference(ORGANIZER, "yes");
  }, [isIn]);
  return (
    <Read of={me} label={words.loading} title={words.signIn.title}>
      {() => children}
    </Read>
  );
}

/** Lists have sentences in the language of the page: after another choice they are read again. */
function useReadInLanguage(): void {
  const cache = useQueryClient();
  const { language } = useLanguage();
  const read = useRef(language);
  useEffect(() => {
    if (read.current === language) return;
    read.current = language;
    void cache.invalidateQueries({ queryKey: LIVE_KEY });
  }, [cache, language]);
}

function PageOf({ path }: { path: string }) {
  const { pages, loading } = useOrganizeMessages();
  const actions = useMe().data?.actions ?? [];
  const framed = framedAt(path);
  if (!framed || (path !== ACCOUNT && !actions.some((action) => action === framed.needs))) {
    return <h1>{pages.missing}</h1>;
  }
  const { Page } = framed;
  return (
    <Suspense fallback={<Loading label={loading} />}>
      <Page key={path} />
    </Suspense>
  );
}

/** Links the sheets of these pages, which arrive while it is asked who is signed in. */
function linkSheets(): void {
  for (const href of [sheetUrl, editorSheetUrl]) {
    if (document.querySelector(`link[href="${href}"]`)) continue;
    document.head.append(
      Object.assign(document.createElement("link"), { rel: "stylesheet", href }),
    );
  }
}

export default function OrganizePage() {
  const { path } = useAddress();
  useInsertionEffect(linkSheets, []);
  useReadInLanguage();
  const Door = DOORS.get(path);
  if (Door) return <Door />;
  return (
    <GateProvider>
      <SignedIn>
        <ChannelProvider>
          <ActingProvider>
            <Frame>
              <PageOf path={path} />
            </Frame>
          </ActingProvider>
        </ChannelProvider>
      </SignedIn>
    </GateProvider>
  );
}
