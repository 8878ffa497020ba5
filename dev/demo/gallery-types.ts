import type { ShownView } from './api-types.ts'

// What the gallery's page is told, as JSON.

/** One thing that Callboard can show, in the gallery. */
export type ShownSample = {
  readonly feature: string
  readonly name: string
} & (
  | ({ readonly kind: 'modal'; readonly errors: Readonly<Record<string, string>> } & Pick<
      ShownView,
      'title' | 'submit' | 'close' | 'blocks'
    >)
  | { readonly kind: 'message' | 'home'; readonly blocks: readonly unknown[] }
  | { readonly kind: 'page'; readonly html: string }
)

export interface GalleryState {
  /** The part of the samples that is recorded; they are there once it is 1. */
  readonly progress: number
  readonly people: readonly { readonly id: string; readonly name: string }[]
  readonly channels: readonly { readonly id: string; readonly name: string }[]
  readonly samples: readonly ShownSample[]
}
