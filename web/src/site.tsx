/**
 * The whole site in its providers: the query cache, the notifications, the live channel, the
 * routes.
 */
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { type ReactNode, useCallback } from "react";
import { LiveProvider } from "./api/session";
import type { createSiteRouter } from "./routes";
import { NotificationProvider, useNotify } from "./ui/notification";

function Live({ children }: { children: ReactNode }) {
  const { notify } = useNotify();
  const onError = useCallback((message: string) => notify("error", message), [notify]);
  return <LiveProvider onError={onError}>{children}</LiveProvider>;
}

export function Site(props: { cache: QueryClient; router: ReturnType<typeof createSiteRouter> }) {
  return (
    <QueryClientProvider client={props.cache}>
      <NotificationProvider>
        <Live>
          <RouterProvider router={props.router} />
        </Live>
      </NotificationProvider>
    </QueryClientProvider>
  );
}
