/** What the server makes of what is typed. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useStill } from "../change/preview";
import { useGate } from "../gate";

interface TypedPreviewOf<Typed, T> {
  /** The name of its kind. */
  name: string;
  typed: Typed;
  read: (typed: Typed) => Promise<T>;
  isOn: (typed: Typed) => boolean;
}

/** A preview of what is typed, asked again once that has been still. */
export function useTypedPreview<Typed, T>({ name, typed, read, isOn }: TypedPreviewOf<Typed, T>) {
  const run = useGate();
  const text = JSON.stringify(typed);
  const still = useStill(text);
  const asked: Typed = JSON.parse(still);
  const query = useQuery({
    queryKey: ["organize", name, still],
    queryFn: () => run(() => read(asked)),
    enabled: isOn(asked),
    placeholderData: keepPreviousData,
    networkMode: "always",
    retry: false,
    refetchOnReconnect: true,
    gcTime: 0,
  });
  /** Whether it is of what is typed by now. */
  const isCurrent = still === text && query.isSuccess && !query.isPlaceholderData;
  return { ...query, isCurrent };
}
