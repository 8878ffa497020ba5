import type { Person } from '../api-types.ts'
import { AppMark } from './icons.tsx'

/** Hues that white letters can be read on. */
const hues = [205, 265, 335, 20, 150]

export function Avatar({ person, index }: { readonly person: Person; readonly index: number }) {
  if (person.isApp) return <AppMark />
  const letters = person.name
    .split(' ')
    .map((part) => part.slice(0, 1))
    .join('')
  const hue = hues[index % hues.length] ?? 205
  return (
    <span class="avatar" style={{ background: `hsl(${hue} 45% 36%)` }} aria-hidden="true">
      {letters}
    </span>
  )
}
