import type { Action, ActionResult, GalleryState, PageState, TrafficEntry } from '../api-types.ts'

const get = async <T>(path: string): Promise<T> => (await fetch(`/api/${path}`)).json()

async function post<T>(path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

export const getState = (user: string) => get<PageState>(`state?user=${encodeURIComponent(user)}`)
export const getTraffic = () => get<readonly TrafficEntry[]>('traffic')
export const getGallery = () => get<GalleryState>('gallery')
export const send = (action: Action) => post<ActionResult>('act', action)
/** Restarts the demo. @returns the initial text of the message box */
export async function startOver() {
  await post<object>('start-over', {})
  return (await getState('')).proposal
}

/** Calls `listener` at every change, until the function that it returns is called. The browser connects again by itself. */
export function onChange(listener: () => void): () => void {
  const source = new EventSource('/api/changes')
  source.addEventListener('message', listener)
  return () => source.close()
}
