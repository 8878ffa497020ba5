import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Choice, Named, Option } from '../../api-types.ts'

export interface Directory {
  readonly people: readonly Named[]
  readonly channels: readonly Named[]
}

/** A click on an element, or what was chosen in it. */
export interface ElementAction {
  readonly blockId: string
  readonly actionId: string
  readonly choose?: Choice
}

/** What every block and element on one surface needs of it; this one does nothing. */
export const idle = {
  surface: 'message' as 'message' | 'modal' | 'home',
  /** What the ids of its elements begin with: unlike any other surface's that is drawn at the same time. */
  scope: 'message',
  directory: { people: [], channels: [] } as Directory,
  /** `${block_id}/${action_id}` of the element whose click is under way. */
  busy: undefined as string | undefined,
  onAction: (_action: ElementAction) => {},
  suggest: async (_search: { blockId: string; actionId: string; value: string }) => [] as readonly Option[],
  /** A modal's inputs that somebody touched, by `${block_id}/${action_id}`. */
  values: new Map() as ReadonlyMap<string, Choice>,
  onValue: (_key: string, _value: Choice) => {},
  /** Under a modal's inputs, by block_id. */
  errors: {} as Readonly<Record<string, string>>,
}

export type BlockContextValue = Readonly<typeof idle>
export const BlockContext = createContext<BlockContextValue>(idle)
export const useBlockContext = (): BlockContextValue => useContext(BlockContext)
