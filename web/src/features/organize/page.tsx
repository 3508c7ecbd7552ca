/** Organizer pages: the pages in the frame, and the entrance pages without it. */
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useInsertionEffect, useRef } from "react";
import { LIVE_KEY } from "../../api/organize-live";
import { useLanguage } from "../../messages/language";
import { useOrganizeMessages } from "../../messages/organize/words";
import { useAddress } from "../../navigate";
import { Loading } from "../../ui/loading/loading";
import { choosePreference, ORGANIZER } from "../../ui/preference/preference";
import { ActionDialogProvider } from "./change/action-dialog";
import editorSheetUrl from "./editor/organize-pages-editor.css?url";
import { ChannelProvider } from "./frame/channel";
import { Empty } from "./frame/empty";
import { Frame } from "./frame/frame";
import sheetUrl from "./frame/organize-pages.css?url";
import { ACCOUNT, CEREMONY, Ceremony, DOORS, framedAt } from "./pages";
import { MeProvider, useMe, useMeQuery } from "./queries";
import { QueryContent } from "./query-content";
import { GateProvider } from "./second-factor-gate";

/** Loads the logged-in organizer before showing anything, because permissions decide the rest. */
function SignedIn({ children }: { children: ReactNode }) {
  const words = useOrganizeMessages();
  const me = useMeQuery();
  const isIn = me.data !== undefined;
  // The rest of the site shows organizers a link to these pages.
  useEffect(() => {
    if (isIn) choosePreference(ORGANIZER, "yes");
  }, [isIn]);
  return (
    <QueryContent of={me} label={words.loading} title={words.signIn.title}>
      {(data) => <MeProvider me={data}>{children}</MeProvider>}
    </QueryContent>
  );
}

/** Refetches lists after a language change, because they contain translated sentences. */
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

function Missing() {
  const { pages } = useOrganizeMessages();
  return (
    <Empty isPage title={pages.missingTitle} note={pages.missing}>
      <a className="button" href="/organize">
        {pages.names.overview}
      </a>
    </Empty>
  );
}

function PageOf({ path }: { path: string }) {
  const { loading } = useOrganizeMessages();
  const { actions } = useMe();
  const framed = framedAt(path);
  if (!framed || (path !== ACCOUNT && !actions.some((action) => action === framed.needs))) {
    return <Missing />;
  }
  const { Page } = framed;
  return (
    <Suspense fallback={<Loading label={loading} />}>
      <Page key={path} />
    </Suspense>
  );
}

/** Links the style sheets, so that they load in parallel with the organizer. */
function linkSheets(): void {
  for (const href of [sheetUrl, editorSheetUrl]) {
    if (document.querySelector(`link[href="${href}"]`)) continue;
    document.head.append(
      Object.assign(document.createElement("link"), { rel: "stylesheet", href }),
    );
  }
}

function CeremonyOf() {
  return (
    <Suspense fallback={<Loading label={useOrganizeMessages().loading} />}>
      <Ceremony />
    </Suspense>
  );
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
        {path === CEREMONY ? (
          <CeremonyOf />
        ) : (
          <ChannelProvider>
            <ActionDialogProvider>
              <Frame>
                <PageOf path={path} />
              </Frame>
            </ActionDialogProvider>
          </ChannelProvider>
        )}
      </SignedIn>
    </GateProvider>
  );
}
