/** Live channel of the organizer pages, and the presence of other organizers. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { ME_KEY } from "../../../api/organize";
import { OrganizeChannel } from "../../../api/organize-channel";
import {
  CHANNEL_KEY,
  type Channel,
  ChannelStateProvider,
  NO_CHANNEL,
  usePresences,
} from "../../../api/organize-channel-state";
import { OrganizeNews } from "../../../api/organize-news";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useScoreboardView } from "./view";

const ChannelContext = createContext<OrganizeChannel | null>(null);

/** Keeps one socket for all pages. It closes when the pages are left, as on logout. */
export function ChannelProvider({ children }: { children: ReactNode }) {
  const cache = useQueryClient();
  const view = useScoreboardView();
  const [channel, setChannel] = useState<OrganizeChannel | null>(null);
  useEffect(() => {
    const news = new OrganizeNews(cache);
    const set = (change: Partial<Channel>) =>
      cache.setQueryData<Channel>(CHANNEL_KEY, (old) => ({ ...NO_CHANNEL, ...old, ...change }));
    const opened = new OrganizeChannel(view, {
      onOpen: (lists) => set({ isOn: true, hasActions: lists.includes("actions") }),
      onFrame(frame) {
        if (frame.event === "presence") set({ looks: frame.looks });
        else news.take(frame.lists);
      },
      onLost: () => set(NO_CHANNEL),
      onRefused: () => void cache.invalidateQueries({ queryKey: ME_KEY }),
    });
    setChannel(opened);
    const close = opened.start();
    return () => {
      close();
      news.stop();
    };
  }, [cache, view]);
  return (
    <ChannelContext value={channel}>
      <ChannelStateProvider>{children}</ChannelStateProvider>
    </ChannelContext>
  );
}

/** Shows other organizers which object is being viewed here, such as `team Otters`. */
export function useShareViewing(object: string | undefined): void {
  const channel = useContext(ChannelContext);
  useEffect(() => {
    if (channel && object !== undefined) return channel.look(object);
  }, [channel, object]);
}

/** Distinct names of other organizers viewing an object. */
export function useViewers(): (object: string) => readonly string[] {
  const looks = usePresences();
  return useCallback(
    (object) => [
      ...new Set(looks.filter((look) => look.object === object).map(({ name }) => name)),
    ],
    [looks],
  );
}

/** "Ada is viewing this", in a panel or dialog. */
export function Viewers({ object }: { object: string }) {
  const { list } = useOrganizeMessages().pages;
  const names = useViewers()(object);
  return (
    <p role="status" className="org-looks">
      {names.length > 0 && list.looks(names)}
    </p>
  );
}

export function LooksBadge({ names }: { names: readonly string[] }) {
  const { list } = useOrganizeMessages().pages;
  if (names.length === 0) return null;
  return (
    <span className="org-looks" title={list.looks(names)}>
      <bdi>{names.join(", ")}</bdi>
    </span>
  );
}
