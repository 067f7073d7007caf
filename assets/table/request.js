/*
 * How long an answer may take: what takes too long fails, and before that whoever asks is told that the server can't be reached.
 */

// So many milliseconds without an answer are as good as no net; whoever typed or tapped is told sooner.
const PATIENCE = 8000;
export const SOON = 2500;

/**
 * A request that fails where it takes too long.
 * @param {string} address
 * @param {RequestInit} options
 * @param {(isReached: boolean) => void} [hear]  is told whether the server can be reached
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
