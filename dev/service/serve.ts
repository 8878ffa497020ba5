import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { close, listen, listenNear, loopbackOnly } from '../listen.ts'
import { BASE_PATH, RECORDINGS_PATH, type Sandbox } from './app.ts'

export interface ServedSandbox {
  /** Ends in `/api/v1`, without a slash. */
  readonly baseUrl: string
  /** For RECORDINGS_BASE_URL. */
  readonly recordingsUrl: string
  /** Closes all connections, including those with a pending request. */
  close(): Promise<void>
}

/** Serves a sandbox on loopback, on any free port by default. @throws if the port is taken */
export async function serveSandbox(
  sandbox: Sandbox,
  options: {
    readonly port?: number
    readonly isNear?: boolean
    /**
     * For a process that does nothing else: replaces the global Request and Response with the server's lighter ones,
     * which saves a quarter of the CPU of a request.
     */
    readonly ownProcess?: boolean
  } = {},
): Promise<ServedSandbox> {
  const { port = 0, isNear = false, ownProcess: overrideGlobalObjects = false } = options
  const listener = getRequestListener(sandbox.app.fetch, { overrideGlobalObjects })
  const server = createServer({ keepAliveTimeout: 65_000 }, loopbackOnly(listener))
  const listening = await (isNear ? listenNear(server, port) : listen(server, port))
  const origin = `http://127.0.0.1:${listening}`
  return {
    baseUrl: origin + BASE_PATH,
    recordingsUrl: origin + RECORDINGS_PATH,
    close: () => close(server),
  }
}
