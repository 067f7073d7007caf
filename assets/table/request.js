/*
 * Send requests with a time limit. Before it ends, the user is told that the server cannot be reached.
 */

// Milliseconds without an answer that count as no network; the user is told earlier.
const PATIENCE = 8000;
export const SOON = 2500;

/**
 * Send a request that fails if it takes too long.
 * @param {string} address
 * @param {RequestInit} options
 * @param {(isReached: boolean) => void} [hear]  called with whether the server was reached
 */
export async function request(address, options, hear = () => {}) {
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
