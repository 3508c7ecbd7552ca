/**
 * The whole site in its providers: the language, the query cache, the notifications, the live
 * channel, the routes.
 */
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useCallback } from "react";
import type { Failure } from "./api/client";
import { CtfProvider } from "./api/queries";
import { LiveProvider } from "./api/session";
import { LanguageProvider, type Spoken } from "./messages/language";
import { Routes } from "./routes";
import { NotificationProvider, useNotify } from "./ui/notification/notification";

function Live({ children }: { children: ReactNode }) {
  const { notify } = useNotify();
  const onError = useCallback((failure: Failure) => notify("error", failure), [notify]);
  return <LiveProvider onError={onError}>{children}</LiveProvider>;
}

interface SiteProps {
  /** What it speaks at first; English when nothing is said. */
  spoken?: Spoken | undefined;
  cache: QueryClient;
}

export function Site({ spoken, cache }: SiteProps) {
  return (
    <LanguageProvider initial={spoken}>
      <QueryClientProvider client={cache}>
        <CtfProvider>
          <NotificationProvider>
            <Live>
              <Routes />
            </Live>
          </NotificationProvider>
        </CtfProvider>
      </QueryClientProvider>
    </LanguageProvider>
  );
}
