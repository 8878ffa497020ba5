import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { BASE_PATH, type Sandbox } from './app.ts'

export interface ServeOptions {
  /** Any free port unless given. */
  readonly port?: number | undefined
  /** Loopback only, 127.0.0.1 unless given. */
  readonly host?: string | undefined
  /**
   * The process does nothing but serve: its global Request and Response may be replaced by the
   * server's lighter ones, which saves a quarter of the CPU of a request.
   */
  readonly ownProcess?: boolean | undefined
}

export interface ServedSandbox {
  /** Ends in `/api/v1`, without a slash. */
  readonly baseUrl: string
  /** Ends every connection, those with a request under way too. */
  close(): Promise<void>
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

/** Serves a sandbox on loopback. Rejects where the port is taken, and for any other host. */
export async function serveSandbox(sandbox: Sandbox, options: ServeOptions = {}): Promise<ServedSandbox> {
  const { port = 0, host = '127.0.0.1' } = options
  if (!LOOPBACK.includes(host)) throw new RangeError('the sandbox is served on loopback only')
  const listener = getRequestListener(sandbox.app.fetch, {
    overrideGlobalObjects: options.ownProcess ?? false,
  })
  const server = createServer({ keepAliveTimeout: 65_000 }, listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const name = host.includes(':') ? `[${host}]` : host
  return {
    baseUrl: `http://${name}:${address.port}${BASE_PATH}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}
