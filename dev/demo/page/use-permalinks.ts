import { useEffect } from 'preact/hooks'

/** Slack opens a link to one of its own messages in itself: calls `open` with the channel's id instead of leaving the page. */
export function usePermalinks(open: (channel: string) => void): void {
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const channel = /^https:\/\/[\w-]+\.slack\.com\/archives\/(\w+)\/p\d+/.exec(link?.href ?? '')?.[1]
      if (channel === undefined) return
      event.preventDefault()
      open(channel)
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [open])
}
