import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Choice, Option } from '../../api-types.ts'

export interface Directory {
  readonly people: readonly { readonly id: string; readonly name: string }[]
  readonly channels: readonly { readonly id: string; readonly name: string }[]
}

/** What every block and element on one surface needs of it. */
export interface BlockContextValue {
  readonly surface: 'message' | 'modal' | 'home'
  /** What the ids of its elements begin with: unlike any other surface's that is drawn at the same time. */
  readonly scope: string
  readonly directory: Directory
  /** `${block_id}/${action_id}` of the element whose click is under way. */
  readonly busy: string | undefined
  readonly onAction: (action: { blockId: string; actionId: string; choose?: Choice }) => void
  readonly suggest: (at: { blockId: string; actionId: string; value: string }) => Promise<readonly Option[]>
  /** A modal's inputs that somebody touched, by `${block_id}/${action_id}`. */
  readonly values: ReadonlyMap<string, Choice>
  readonly onValue: (key: string, value: Choice) => void
  /** Under a modal's inputs, by block_id. */
  readonly errors: Readonly<Record<string, string>>
}

const nothing = () => {}

export const BlockContext = createContext<BlockContextValue>({
  surface: 'message',
  scope: 'message',
  directory: { people: [], channels: [] },
  busy: undefined,
  onAction: nothing,
  suggest: async () => [],
  values: new Map(),
  onValue: nothing,
  errors: {},
})

export const useBlockContext = (): BlockContextValue => useContext(BlockContext)
