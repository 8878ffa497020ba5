import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export type SocketBridge = Awaited<ReturnType<typeof startSocketBridge>>

/**
 * Slack's end of Socket Mode: sends the stand-in's HTTP requests through the app's WebSocket, and returns its answers. Like
 * Slack, it answers a close frame and leaves TCP open.
 * @see https://docs.slack.dev/apis/events-api/using-socket-mode
 */
export async function startSocketBridge() {
  const waiting = new Map<string, (payload: unknown) => void>()
  let socket: WebSocket | undefined
  const tcpConnections = new Set<Socket>()
  let connections = 0
  let mute: 'greeting' | 'upgrade' | undefined

  const track = (tcp: Socket) => {
    tcpConnections.add(tcp)
    tcp.once('end', () => tcp.destroy())
    tcp.once('close', () => tcpConnections.delete(tcp))
  }

  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const isEvent = (request.headers['content-type'] ?? '').startsWith('application/json')
    const form = isEvent ? {} : Object.fromEntries(new URLSearchParams(text))
    let message: object = { type: 'slash_commands', payload: form }
    if (isEvent) message = { type: 'events_api', payload: JSON.parse(text) }
    else if (form['payload'] !== undefined)
      message = { type: 'interactive', payload: JSON.parse(form['payload']) }
    const id = randomUUID()
    const answered = new Promise<unknown>((resolve) => waiting.set(id, resolve))
    socket?.send(JSON.stringify({ ...message, envelope_id: id, accepts_response_payload: !isEvent }))
    const answer = await answered
    const isEmpty = answer === undefined || JSON.stringify(answer) === '{}'
    response.writeHead(200, { 'content-type': 'application/json' }).end(isEmpty ? '' : JSON.stringify(answer))
  })
  const sockets = new WebSocketServer({ noServer: true })
  http.on('upgrade', (request, tcp: Socket, head) => {
    connections += 1
    tcp.on('error', () => {})
    if (mute === 'upgrade') {
      mute = undefined
      track(tcp)
      tcp.resume()
      return
    }
    sockets.handleUpgrade(request, tcp, head, (opened) => sockets.emit('connection', opened, request))
  })
  sockets.on('connection', (opened, { socket: tcp }) => {
    tcp.end = () => tcp
    track(tcp)
    const isMute = mute === 'greeting'
    mute = undefined
    if (!isMute) opened.send(JSON.stringify({ type: 'hello', num_connections: 1 }))
    // Slack keeps sending to an older connection until the next one is greeted.
    if (!isMute) socket = opened
    opened.on('message', (data) => {
      const { envelope_id: id, payload } = JSON.parse(String(data))
      waiting.get(id)?.(payload)
      waiting.delete(id)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    /** For the app. */
    socketUrl: `ws://127.0.0.1:${port}/link`,
    /** For the stand-in's requests, which are sent through the socket. */
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    openConnections: () => tcpConnections.size,
    /** Makes the next connection one without a greeting, or one whose upgrade is never answered. */
    stayMute(until: 'greeting' | 'upgrade') {
      mute = until
    },
    /** Ends the newest connection at once, as a failing network does. */
    cut: () => socket?.terminate(),
    /** Tells the app to open another connection, as Slack does now and then. */
    disconnect: (reason = 'refresh_requested') =>
      socket?.send(JSON.stringify({ type: 'disconnect', reason })),
    async close() {
      for (const tcp of tcpConnections) tcp.destroy()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
