/*
 * Send requests with a time limit, and entries as JSON. Before the limit ends, the user is told that the server cannot be reached.
 */

// Milliseconds without an answer that count as no network; the user is told earlier.
export const PATIENCE = 8000;
export const SOON = 2500;

/** Send a request that fails if it takes too long. @param hear  called with whether the server was reached */
export async function request(address: string, options: RequestInit, hear: (isReached: boolean) => void = () => {}) {
  const late = setTimeout(hear, SOON, false);
  try {
    const answer = await fetch(address, { ...options, signal: AbortSignal.timeout(PATIENCE) });
    hear(true);
    return answer;
  } catch (error) {
    hear(false);
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** Send an entry. @param token  the CSRF token of the page, if there is no newer cookie */
export async function post(address: string, body: object, token: string, hear?: (isReached: boolean) => void): Promise<Answer> {
  const options = {
    method: "POST",
    credentials: "same-origin",
    // The next tap does not undo it.
    keepalive: true,
    referrerPolicy: "origin",
    headers: {
      "Content-Type": "application/json",
      "X-CSRFToken": document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? token,
      // The author here: a login, or a player who opened the link of the table.
      "Typed-By": document.body.dataset.who ?? "",
    },
    body: JSON.stringify(body),
  } as const;
  const answer = await request(address, options, hear);
  return { status: answer.status, body: answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null };
}
