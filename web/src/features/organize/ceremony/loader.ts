/** Reads the sealed ranking, or makes up the one of a rehearsal. */
import { useMemo } from "react";
import { type Ceremony, getCeremony, getStudentTeams } from "../../../api/organize-ceremony";
import { useCtf, useLive } from "../../../api/queries";
import { useSession } from "../../../api/session";
import { publicBoard } from "../../../domain/highlights";
import { useGate } from "../second-factor-gate";
import { rehearsalOf } from "./rehearsal";
import type { Options } from "./saved";

export type Mode = Options["mode"];

/** Loads a ranking; null while the public board is not there yet. */
export function useLoader() {
  const run = useGate();
  const { board } = useLive();
  const { team } = useSession();
  const info = useCtf().data?.info;
  const name = info && (info.name ?? "");
  return useMemo(() => {
    if (!board || name === undefined) return null;
    return async (mode: Mode, seed: number): Promise<Ceremony> => {
      if (mode === "real") return run(getCeremony);
      const students = await run(getStudentTeams);
      return rehearsalOf(name, publicBoard(board, team), students, seed);
    };
  }, [run, board, team, name]);
}
