/** The site with its providers. */
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useCallback } from "react";
import type { Failure } from "./api/client";
import { useRevealMs } from "./api/clock";
import { CtfProvider, useCtf } from "./api/queries";
import { LiveProvider } from "./api/session";
import { LanguageProvider, type LoadedLanguage } from "./messages/language";
import { Routes } from "./routes";
import { NotificationProvider, useNotify } from "./ui/notification/notification";
import { SealProvider } from "./ui/sealed/sealed";
import { ZoneProvider } from "./ui/zone/zone";

function Live({ children }: { children: ReactNode }) {
  const { notify } = useNotify();
  const onError = useCallback((failure: Failure) => notify("error", failure), [notify]);
  return <LiveProvider onError={onError}>{children}</LiveProvider>;
}

function Zone({ children }: { children: ReactNode }) {
  return <ZoneProvider event={useCtf().data?.info.timezone}>{children}</ZoneProvider>;
}

function Seal({ children }: { children: ReactNode }) {
  return <SealProvider revealMs={useRevealMs()}>{children}</SealProvider>;
}

interface SiteProps {
  /** The initial language; English by default. */
  language?: LoadedLanguage | undefined;
  cache: QueryClient;
}

export function Site({ language, cache }: SiteProps) {
  return (
    <LanguageProvider initial={language}>
      <QueryClientProvider client={cache}>
        <CtfProvider>
          <NotificationProvider>
            <Live>
              <Zone>
                <Seal>
                  <Routes />
                </Seal>
              </Zone>
            </Live>
          </NotificationProvider>
        </CtfProvider>
      </QueryClientProvider>
    </LanguageProvider>
  );
}
