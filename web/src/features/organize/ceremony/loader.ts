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

const NONE: Ceremony["divisions"] = [];

/** Loads a ranking; null while the public board is not there yet. */
export function useLoader() {
  const run = useGate();
  const { board } = useLive();
  const { team } = useSession();
  const info = useCtf().data?.info;
  const name = info && (info.name ?? "");
  const divisions = info?.divisions ?? NONE;
  return useMemo(() => {
    if (!board || name === undefined) return null;
    return async (mode: Mode, seed: number): Promise<Ceremony> => {
      if (mode === "real") return run(getCeremony);
      const students = await run(getStudentTeams);
      const made = rehearsalOf(name, publicBoard(board, team), students, seed);
      return { ...made, divisions };
    };
  }, [run, board, team, name, divisions]);
}
