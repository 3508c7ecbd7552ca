/** Renders the page for the address inside the shell, or its placeholder or error. */
import { Component, type ReactNode, Suspense, useEffect, useMemo, useState } from "react";
import { loginAddress } from "./addresses";
import { useSite } from "./api/site";
import { readToken } from "./api/token";
import { NotFound, PageFailed } from "./features/shell/problem";
import { Shell } from "./features/shell/shell";
import { useMessages } from "./messages/language";
import {
  AddressContext,
  followLinks,
  parseAddress,
  Redirect,
  useRequestedAddress,
  useScrollUp,
} from "./navigate";
import { pageAt, preloadPage } from "./pages";
import { chunkPart } from "./ui/chunk-part/chunk-part";
import { Loading } from "./ui/loading/loading";

/** The page of an unknown address, with the picture of the home page. */
const Lost = chunkPart(
  "home",
  async () => ({ default: (await import("./features/home/page")).Lost }),
  NotFound,
);

/** Maximum time that the previous page stays while the next page's chunk loads. */
const STAY_MS_MAX = 1000;

/** Error boundary: shows the error that its children threw while rendering. */
class FailureBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    const { error } = this.state;
    return error === null ? this.props.children : <PageFailed error={error} />;
  }
}

/**
 * The address to render: the previous one until the requested page's chunk is loaded or late.
 */
function useRenderedAddress(): string {
  const requested = useRequestedAddress();
  const [drawn, draw] = useState(requested);
  const waits = requested !== drawn && pageAt(requested)?.isLoaded() === false;
  if (requested !== drawn && !waits) draw(requested);
  useEffect(() => {
    if (!waits) return;
    let isOver = false;
    const end = () => {
      if (!isOver) draw(requested);
    };
    const timer = setTimeout(end, STAY_MS_MAX);
    void preloadPage(requested).then(end);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [requested, waits]);
  return waits ? drawn : requested;
}

function PageLoading() {
  return <Loading label={useMessages().loading.page} />;
}

/** False for a custom page that the event does not have. */
function usePageExists(path: string): boolean {
  const pages = useSite()?.pages;
  const [, first, slug] = path.split("/");
  return first !== "pages" || (pages?.some((page) => page.slug === slug) ?? true);
}

function PageOf({ address, path }: { address: string; path: string }) {
  const Page = pageAt(address);
  const exists = usePageExists(path);
  if (!Page || !exists) {
    return (
      <Suspense fallback={<PageLoading />}>
        <Lost />
      </Suspense>
    );
  }
  if (path === "/challenge" && readToken() === "") return <Redirect to={loginAddress(address)} />;
  return (
    <Suspense fallback={<PageLoading />}>
      <Page />
    </Suspense>
  );
}

export function Routes() {
  const drawn = useRenderedAddress();
  const address = useMemo(() => parseAddress(drawn), [drawn]);
  useScrollUp(drawn);
  useEffect(
    () =>
      followLinks({ has: (to) => pageAt(to) !== undefined, expect: (to) => void preloadPage(to) }),
    [],
  );
  return (
    <FailureBoundary>
      <AddressContext value={address}>
        <Shell>
          {/* Organizer pages share a frame, which stays mounted. */}
          <FailureBoundary key={address.path.replace(/^(.organize).*/, "$1")}>
            <PageOf address={drawn} path={address.path} />
          </FailureBoundary>
        </Shell>
      </AddressContext>
    </FailureBoundary>
  );
}
