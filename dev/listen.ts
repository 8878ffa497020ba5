import { randomInt } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Server as TcpServer } from 'node:net'

/** Rejects requests with another host name, because another site could point its name to loopback. */
export const loopbackOnly =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.host ?? ''))
      listener(request, response)
    else response.writeHead(403).end('loopback only')
  }

/** Listens on loopback: on `port`, or on any free one for 0, and returns it. @throws an error that `isPortTaken` recognizes */
export function listen(server: TcpServer, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

/** Closes the server and all its connections, including those with a pending request. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    server.closeAllConnections()
  })
}

export const isPortTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

/** Listens on loopback: on `port`, else on one of the next nine ports, else on any free one. */
export async function listenNear(server: Server, port: number): Promise<number> {
  for (const candidate of Array.from({ length: port === 0 ? 0 : 10 }, (_, n) => port + n)) {
    try {
      return await listen(server, candidate)
    } catch (error) {
      if (!isPortTaken(error)) throw error
    }
  }
  return listen(server)
}

/**
 * Returns a free port of loopback, below the range that the system assigns to connections: one of those could take it before
 * the program listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer()
    try {
      const port = await listen(server, randomInt(12_000, 32_000))
      await close(server)
      return port
    } catch (error) {
      if (!isPortTaken(error)) throw error
    }
  }
}
