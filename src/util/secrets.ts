import { hash, timingSafeEqual } from 'node:crypto'

const digest = (text: string) => hash('sha256', text, 'buffer')

/** Takes the same time wherever the texts differ. */
export const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
