import { createServer, type Server } from 'node:http'

/** Listens on loopback: on `port`, on one of the nine after it, or on any that is free. */
export async function listenNear(server: Server, port: number): Promise<number> {
  for (const candidate of [...Array.from({ length: port === 0 ? 0 : 10 }, (_, n) => port + n), 0]) {
    try {
      return await listenOn(server, candidate)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    }
  }
  throw new Error('no port is free')
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

/** A port of loopback that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenOn(server, 0)
  await new Promise((resolve) => server.close(resolve))
  return port
}
