import type { Option } from '../../api-types.ts'
import { CloseIcon } from '../icons.tsx'

/** What was chosen so far in a menu that takes several, each of which can be removed again. */
export function ChosenOptions({
  options,
  onRemove,
}: {
  readonly options: readonly Option[]
  readonly onRemove: (option: Option) => void
}) {
  if (options.length === 0) return null
  return (
    <ul class="bk-chosen">
      {options.map((option) => (
        <li key={option.value}>
          {option.text.text}
          <button type="button" aria-label={`Remove ${option.text.text}`} onClick={() => onRemove(option)}>
            <CloseIcon />
          </button>
        </li>
      ))}
    </ul>
  )
}
