/** State of the live channel of the organizer pages, with one observer for all rows and lists. */
import { skipToken, useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext } from "react";
import type { Presence } from "./organize-channel";

/** Channel state for the pages; stored in the query cache under `CHANNEL_KEY`. */
export interface Channel {
  readonly isOn: boolean;
  /** True if the role receives action events, which trigger refetches. */
  readonly hasActions: boolean;
  /** Presence of the other organizers. */
  readonly looks: readonly Presence[];
}
export const CHANNEL_KEY = ["organize", "channel"] as const;
export const NO_CHANNEL: Channel = { isOn: false, hasActions: false, looks: [] };

const IsToldContext = createContext(false);
const LooksContext = createContext(NO_CHANNEL.looks);

export function ChannelStateProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery<Channel>({ queryKey: CHANNEL_KEY, queryFn: skipToken });
  const { isOn, hasActions, looks } = data ?? NO_CHANNEL;
  return (
    <IsToldContext value={isOn && hasActions}>
      <LooksContext value={looks}>{children}</LooksContext>
    </IsToldContext>
  );
}

/** True while the channel reports actions. */
export function useIsTold(): boolean {
  return useContext(IsToldContext);
}

/** Presence of the other organizers. */
export function usePresences(): readonly Presence[] {
  return useContext(LooksContext);
}
