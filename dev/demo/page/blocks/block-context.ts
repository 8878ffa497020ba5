import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Choice, Named, Option } from '../../api-types.ts'

export interface Directory {
  readonly people: readonly Named[]
  readonly channels: readonly Named[]
}

/** A click on an element, or a choice in it. */
export interface ElementAction {
  readonly blockId: string
  readonly actionId: string
  readonly choose?: Choice
}

/** Context of the blocks on a surface; by default nothing happens. */
export const idle = {
  surface: 'message' as 'message' | 'modal' | 'home',
  /** Prefix of element ids, unique among the surfaces on the page. */
  scope: 'message',
  directory: { people: [], channels: [] } as Directory,
  /** `${block_id}/${action_id}` of the element that is waiting for its answer. */
  busy: undefined as string | undefined,
  onAction: (_action: ElementAction) => {},
  suggest: async (_search: { blockId: string; actionId: string; value: string }) => [] as readonly Option[],
  /** Changed inputs of a modal, by `${block_id}/${action_id}`. */
  values: new Map() as ReadonlyMap<string, Choice>,
  onValue: (_key: string, _value: Choice) => {},
  /** Errors under a modal's inputs, by block_id. */
  errors: {} as Readonly<Record<string, string>>,
}

export type BlockContextValue = Readonly<typeof idle>
export const BlockContext = createContext<BlockContextValue>(idle)
export const useBlockContext = (): BlockContextValue => useContext(BlockContext)
