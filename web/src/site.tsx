/**
 * The whole site in its providers: the language, the query cache, the notifications, the live
 * channel, the routes.
 */
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { type ReactNode, useCallback } from "react";
import { LiveProvider } from "./api/session";
import { LanguageProvider, type Spoken } from "./messages/language";
import type { createSiteRouter } from "./routes";
import { NotificationProvider, useNotify } from "./ui/notification";

function Live({ children }: { children: ReactNode }) {
  const { notify } = useNotify();
  const onError = useCallback((message: string) => notify("error", message), [notify]);
  return <LiveProvider onError={onError}>{children}</LiveProvider>;
}

interface SiteProps {
  /** What it speaks at first; English when nothing is said. */
  spoken?: Spoken | undefined;
  cache: QueryClient;
  router: ReturnType<typeof createSiteRouter>;
}

export function Site({ spoken, cache, router }: SiteProps) {
  return (
    <LanguageProvider initial={spoken}>
      <QueryClientProvider client={cache}>
        <NotificationProvider>
          <Live>
            <RouterProvider router={router} />
          </Live>
        </NotificationProvider>
      </QueryClientProvider>
    </LanguageProvider>
  );
}
