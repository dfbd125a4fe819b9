/** Shares a link by the system's own means on phones, by the clipboard elsewhere. */
import { t } from "../words/index.svelte";

/** Returns what to tell the person; null when the system has done so. */
export async function share(title: string, url: string): Promise<string | null> {
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    await navigator.share({ title, url }).catch(() => undefined);
    return null;
  }
  try {
    await navigator.clipboard.writeText(url);
    return t("The link is in the clipboard.");
  } catch {
    return url; // without a secure connection there is no clipboard: show the link
  }
}
