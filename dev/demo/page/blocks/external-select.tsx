import { useEffect, useRef, useState } from 'preact/hooks'
import type { Option } from '../../api-types.ts'
import { CloseIcon } from '../icons.tsx'
import { useBlockContext } from './block-context.ts'
import { type FieldProps, severalOf, useField } from './field.ts'
import { asNumber, asText, textOf } from './read.ts'

/** What was chosen so far in a menu that takes several, each of which can be removed again. */
function ChosenOptions({
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

/** How long to wait for the next letter before the app is asked. */
const pauseMs = 200

/** A combobox whose options the app is asked for. https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */
export function ExternalSelect(props: FieldProps) {
  const { element, blockId } = props
  const { suggest } = useBlockContext()
  const { value, change, id, attributes } = useField(props)
  const one = value !== null && typeof value === 'object' && 'text' in value ? value.text.text : ''
  const [typed, setTyped] = useState<string>()
  const [options, setOptions] = useState<readonly Option[]>()
  const [active, setActive] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const least = asNumber(element['min_query_length']) ?? 3
  const isOpen = typed !== undefined && typed.length >= least
  const actionId = asText(element['action_id'])
  const isMulti = asText(element['type']).startsWith('multi_')
  const several = isMulti ? severalOf(value, element) : []
  const chosen = isMulti ? '' : one

  useEffect(() => {
    setOptions(undefined)
    setActive(0)
    if (!isOpen) return undefined
    let isLatest = true
    const timer = setTimeout(
      async () => {
        const found = await suggest({ blockId, actionId, value: typed })
        if (isLatest) setOptions(found)
      },
      typed === '' ? 0 : pauseMs,
    )
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, [typed])

  // In a modal the list may lie below what can be seen.
  useEffect(() => {
    if (isOpen) menu.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, options])

  const without = (option: Option) => several.filter((other) => other.value !== option.value)

  function choose(option: Option | undefined) {
    if (!option) return
    change(isMulti ? [...without(option), option] : option)
    setTyped(undefined)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen || !options) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setActive((active + step + options.length) % Math.max(1, options.length))
    else if (event.key === 'Enter') choose(options[active])
    else if (event.key === 'Escape') setTyped(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div class="bk-combobox">
      <ChosenOptions options={several} onRemove={(option) => change(without(option))} />
      <input
        {...attributes}
        ref={input}
        class="bk-field"
        type="text"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && options?.[active] ? `${id}-${active}` : undefined}
        placeholder={textOf(element['placeholder']) || undefined}
        value={typed ?? chosen}
        onFocus={() => setTyped((before) => before ?? '')}
        onBlur={() => setTyped(undefined)}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {props.isOptional && chosen !== '' && typed === undefined && (
        <button
          type="button"
          class="bk-clear"
          aria-label={`Clear ${chosen}`}
          onClick={() => {
            change(null)
            input.current?.focus()
          }}
        >
          <CloseIcon />
        </button>
      )}
      {isOpen && (
        <div ref={menu} class="bk-menu" role="listbox" id={`${id}-list`} aria-label="Suggestions">
          {options === undefined && (
            <div role="option" aria-disabled="true" aria-selected="false" tabIndex={-1}>
              Searching…
            </div>
          )}
          {options?.length === 0 && (
            <div role="option" aria-disabled="true" aria-selected="false" tabIndex={-1}>
              No results
            </div>
          )}
          {options?.map((option, index) => (
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onMouseDown={(event) => {
                event.preventDefault()
                choose(option)
                input.current?.blur()
              }}
            >
              {option.text.text}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
