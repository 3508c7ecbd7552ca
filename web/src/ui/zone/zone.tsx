/** The time zone of all displayed times: the visitor's or the event's, as chosen. */
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { usePreference, ZONE } from "../preference/preference";

/** An IANA name; undefined for the device's zone. */
export type Zone = string | undefined;

const ZoneContext = createContext<Zone>(undefined);

function known(zone: string): Zone {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    return undefined; // a zone that this browser does not know
  }
}

/** `event` is the event's zone. */
export function ZoneProvider(props: { event: string | null | undefined; children: ReactNode }) {
  const { event, children } = props;
  const choice = usePreference(ZONE);
  const zone = useMemo(
    () => (choice === "event" && event ? known(event) : undefined),
    [event, choice],
  );
  return <ZoneContext value={zone}>{children}</ZoneContext>;
}

/** The zone in which to show a time. */
export function useZone(): Zone {
  return useContext(ZoneContext);
}
