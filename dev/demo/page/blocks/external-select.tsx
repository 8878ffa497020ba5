import { useRef, useState } from 'preact/hooks'
import type { Option } from '../../api-types.ts'
import { CloseIcon } from '../icons.tsx'
import { useBlockContext } from './block-context.ts'
import { type FieldProps, listSelected, useField } from './field.ts'
import { asNumber, asText, readText } from './read.ts'

/** A text field with suggestions from the app. */
export function ExternalSelect(props: FieldProps) {
  const { element, blockId } = props
  const { suggest } = useBlockContext()
  const { value, change, attributes } = useField(props)
  const [typed, setTyped] = useState<string>()
  const [options, setOptions] = useState<readonly Option[]>([])
  const input = useRef<HTMLInputElement>(null)
  const isMulti = asText(element['type']).startsWith('multi_')
  const selected = isMulti ? listSelected(value, element) : []
  const single =
    !isMulti && value !== null && typeof value === 'object' && 'text' in value ? value.text.text : ''
  const without = (option: Option) => selected.filter((other) => other.value !== option.value)

  /** Selects the option that was typed or picked. @returns whether there is one */
  function select(found: readonly Option[], text: string): boolean {
    const option = found.find((one) => one.text.text === text)
    if (!option) return false
    change(isMulti ? [...without(option), option] : option)
    setTyped(isMulti ? '' : undefined)
    return true
  }

  async function search(text: string): Promise<void> {
    setTyped(text)
    if (select(options, text)) return
    if (text === '' && !isMulti) change(null)
    if (text.length < (asNumber(element['min_query_length']) ?? 3)) return
    const found = await suggest({ blockId, actionId: asText(element['action_id']), value: text })
    if (input.current?.value !== text) return
    setOptions(found)
    select(found, text)
  }

  return (
    <div>
      {selected.length > 0 && (
        <ul class="chosen row">
          {selected.map((option) => (
            <li key={option.value} class="row">
              {option.text.text}
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove ${option.text.text}`}
                onClick={() => change(without(option))}
              >
                <CloseIcon />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        {...attributes}
        ref={input}
        class="field"
        type="text"
        list={`${attributes.id}-list`}
        autoComplete="off"
        placeholder={readText(element['placeholder']) || undefined}
        value={typed ?? single}
        onFocus={() => typed === undefined && single === '' && void search('')}
        onBlur={() => setTyped(undefined)}
        onInput={(event) => void search(event.currentTarget.value)}
      />
      <datalist id={`${attributes.id}-list`}>
        {options.map((option) => (
          <option key={option.value} value={option.text.text} />
        ))}
      </datalist>
    </div>
  )
}
