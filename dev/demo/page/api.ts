import type { Act, Acted, Exchange, State } from '../api-types.ts'

async function json<T>(response: Response): Promise<T> {
  return response.json()
}

export async function getState(user: string): Promise<State> {
  return json(await fetch(`/api/state?user=${encodeURIComponent(user)}`))
}

export async function getTraffic(): Promise<readonly Exchange[]> {
  return json(await fetch('/api/traffic'))
}

export async function send(act: Act): Promise<Acted> {
  const headers = { 'content-type': 'application/json' }
  return json(await fetch('/api/act', { method: 'POST', headers, body: JSON.stringify(act) }))
}

/** Calls `hear` at every change, until the function that it returns is called. The browser connects again by itself. */
export function onChange(hear: () => void): () => void {
  const source = new EventSource('/api/changes')
  source.addEventListener('message', hear)
  return () => source.close()
}
