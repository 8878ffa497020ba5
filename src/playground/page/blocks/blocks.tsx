import type { Choice, Option } from '../../api-types.ts'
export interface Directory {
  readonly people: readonly { readonly id: string; readonly name: string }[]
  readonly channels: readonly { readonly id: string; readonly name: string }[]
}
export interface BlocksProps {
  readonly blocks: readonly unknown[]
  readonly surface: 'message' | 'modal' | 'home'
  readonly directory: Directory
  readonly busy?: string | undefined
  readonly onAction: (action: { blockId: string; actionId: string; choose?: Choice }) => void
  readonly suggest: (at: { blockId: string; actionId: string; value: string }) => Promise<readonly Option[]>
  readonly values?: ReadonlyMap<string, Choice>
  readonly onValue?: (key: string, value: Choice) => void
  readonly errors?: Readonly<Record<string, string>>
}
export function Blocks(props: BlocksProps) {
  return <pre>{JSON.stringify(props.blocks).slice(0, 200)}</pre>
}
