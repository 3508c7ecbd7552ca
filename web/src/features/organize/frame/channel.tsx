/** The live channel of the pages while somebody is signed in, and who looks at what. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { ME_KEY } from "../../../api/organize";
import { OrganizeChannel } from "../../../api/organize-channel";
import { CHANNEL_KEY, type Channel, NO_CHANNEL, useLooks } from "../../../api/organize-live";
import { OrganizeNews } from "../../../api/organize-news";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useWhose } from "./view";

const ChannelContext = createContext<OrganizeChannel | null>(null);

/** Keeps one socket for all pages. It closes when they are left, as by signing out. */
export function ChannelProvider({ children }: { children: ReactNode }) {
  const cache = useQueryClient();
  const view = useWhose();
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
  return <ChannelContext value={channel}>{children}</ChannelContext>;
}

/** Tells the other organizers what is looked at here, such as `team Otters`. */
export function useLook(object: string | undefined): void {
  const channel = useContext(ChannelContext);
  useEffect(() => {
    if (channel && object !== undefined) return channel.look(object);
  }, [channel, object]);
}

/** The names of the others who look at an object, each once. */
export function useWhoLooks(): (object: string) => readonly string[] {
  const looks = useLooks();
  return useCallback(
    (object) => [
      ...new Set(looks.filter((look) => look.object === object).map(({ name }) => name)),
    ],
    [looks],
  );
}

/** "Ada looks at this", in a panel or a sheet. */
export function LooksHere({ object }: { object: string }) {
  const { list } = useOrganizeMessages().pages;
  const names = useWhoLooks()(object);
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
