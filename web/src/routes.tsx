/** The page of the address within the shell, or what stands in its place. */
import { Component, type ReactNode, Suspense, useEffect, useMemo, useState } from "react";
import { readToken } from "./api/token";
import { NotFound, PageFailed } from "./features/shell/problem";
import { Shell } from "./features/shell/shell";
import { useMessages } from "./messages/language";
import {
  AddressContext,
  followLinks,
  parseAddress,
  Redirect,
  useAskedAddress,
  useScrollUp,
} from "./navigate";
import { pageAt, preloadPage } from "./pages";
import { Loading } from "./ui/loading/loading";

/** How long the page before stays while the next one's chunk is fetched. */
const STAY_MS_MAX = 1000;

/** Shows what was thrown while its children were drawn. */
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

/** The address to draw: the page before stays until the asked one's chunk is there, or is late. */
function useDrawnAddress(): string {
  const asked = useAskedAddress();
  const [drawn, draw] = useState(asked);
  const waits = asked !== drawn && pageAt(asked)?.isLoaded() === false;
  if (asked !== drawn && !waits) draw(asked);
  useEffect(() => {
    if (!waits) return;
    let isOver = false;
    const end = () => {
      if (!isOver) draw(asked);
    };
    const timer = setTimeout(end, STAY_MS_MAX);
    void preloadPage(asked).then(end);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [asked, waits]);
  return waits ? drawn : asked;
}

function PageLoading() {
  return <Loading label={useMessages().loading.page} />;
}

function PageOf({ address, path }: { address: string; path: string }) {
  const Page = pageAt(address);
  if (!Page) return <NotFound />;
  if (path === "/challenge" && readToken() === "") return <Redirect to="/login" />;
  return (
    <Suspense fallback={<PageLoading />}>
      <Page />
    </Suspense>
  );
}

export function Routes() {
  const drawn = useDrawnAddress();
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
          <FailureBoundary key={address.path}>
            <PageOf address={drawn} path={address.path} />
          </FailureBoundary>
        </Shell>
      </AddressContext>
    </FailureBoundary>
  );
}
