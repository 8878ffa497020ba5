import type { Action, ActionResult, PageState, TrafficEntry } from '../api-types.ts'
import type { GalleryState } from '../gallery-types.ts'

async function json<T>(response: Response): Promise<T> {
  return response.json()
}

export async function getState(user: string): Promise<PageState> {
  return json(await fetch(`/api/state?user=${encodeURIComponent(user)}`))
}

export async function getTraffic(): Promise<readonly TrafficEntry[]> {
  return json(await fetch('/api/traffic'))
}

export async function getGallery(): Promise<GalleryState> {
  return json(await fetch('/api/gallery'))
}

export async function send(action: Action): Promise<ActionResult> {
  const headers = { 'content-type': 'application/json' }
  return json(await fetch('/api/act', { method: 'POST', headers, body: JSON.stringify(action) }))
}

/** Puts the demo back to how it began. @returns what is seen then */
export async function startOver(): Promise<PageState> {
  const headers = { 'content-type': 'application/json' }
  await json(await fetch('/api/start-over', { method: 'POST', headers, body: '{}' }))
  return getState('')
}

/** Calls `listener` at every change, until the function that it returns is called. The browser connects again by itself. */
export function onChange(listener: () => void): () => void {
  const source = new EventSource('/api/changes')
  source.addEventListener('message', listener)
  return () => source.close()
}
