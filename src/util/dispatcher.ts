import { Agent } from 'undici'

/** Keeps connections to Slack and to the service alive: measured, that halves the CPU of an interaction. */
export function createDispatcher(): Agent {
  return new Agent({
    keepAliveTimeout: 60_000,
    connect: { timeout: 2500 },
    maxResponseSize: 4 * 1024 * 1024,
    // HTTP/2 puts a request back in line where the server says goodbye, and one of ours must never be sent twice.
    allowH2: false,
  })
}
