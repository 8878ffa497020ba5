import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { close, listen } from '../listen.ts'
import { BASE_PATH, type Sandbox } from './app.ts'

const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

export class ServedSandbox {
  /** Ends in `/api/v1`, without a slash. */
  readonly baseUrl: string
  readonly #server: Server

  constructor(server: Server, origin: string) {
    this.baseUrl = `${origin}${BASE_PATH}`
    this.#server = server
  }

  /** Ends every connection, those with a request under way too. */
  close(): Promise<void> {
    return close(this.#server)
  }
}

/** Serves a sandbox on loopback. Rejects where the port is taken, and for any other host. */
export async function serveSandbox(
  sandbox: Sandbox,
  options: {
    /** Any free port unless it is said. */
    readonly port?: number | undefined
    /** Loopback only, 127.0.0.1 unless it is said. */
    readonly host?: string | undefined
    /**
     * The process does nothing but serve: its global Request and Response may be replaced by the
     * server's lighter ones, which saves a quarter of the CPU of a request.
     */
    readonly ownProcess?: boolean | undefined
  } = {},
): Promise<ServedSandbox> {
  const { port = 0, host = '127.0.0.1', ownProcess: overrideGlobalObjects = false } = options
  if (!LOOPBACK.includes(host)) throw new RangeError('the sandbox is served on loopback only')
  const listener = getRequestListener(sandbox.app.fetch, { overrideGlobalObjects })
  const server = createServer({ keepAliveTimeout: 65_000 }, listener)
  const name = host.includes(':') ? `[${host}]` : host
  return new ServedSandbox(server, `http://${name}:${await listen(server, port, host)}`)
}
