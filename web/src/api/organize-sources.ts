/** Challenge sources: the stored `challenge.yml`, edit previews, and files. */
import { apiUrl } from "./base";
import { ApiError, CONNECTION_FAILED, requireJson } from "./client";
import { get, post } from "./organize";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Source = Schemas["Source"];
export type NamedFile = Schemas["NamedFile"];
export type Preview = Schemas["Preview"];
export type PreviewCard = Schemas["PreviewCard"];
export type Found = Schemas["FoundIn"];

/** Keys and values of a `challenge.yml`. */
export type Fields = Readonly<Record<string, unknown>>;

export function getSource(id: string) {
  return get<Source>(`/challenges/${encodeURIComponent(id)}`);
}

/** An unsaved edit. A new challenge can start as a copy of another one. */
export interface Change {
  readonly fields: Fields;
  readonly isNew: boolean;
  readonly from?: string | undefined;
}

export function postPreview(id: string, change: Change) {
  return post<Preview>(`/challenges/${encodeURIComponent(id)}/preview`, change);
}

/** Maximum file size in bytes, as enforced by the server. */
export const FILE_BYTES_MAX = 1024 ** 3;

/** Uploads a file with `XMLHttpRequest`, because `fetch` does not report upload progress. */
export function sendFile(
  file: Blob,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Schemas["Uploaded"]> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", apiUrl("/organize/files"));
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("X-Organize", "1");
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
    const fail = () => reject(new ApiError({ message: CONNECTION_FAILED }, 0));
    request.addEventListener("error", fail);
    request.addEventListener("abort", fail);
    request.addEventListener("load", () => {
      const { responseText: text, status } = request;
      const response = Promise.resolve(new Response(null, { status }));
      response.then((response) => requireJson(text, response).json()).then(resolve, reject);
    });
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}
