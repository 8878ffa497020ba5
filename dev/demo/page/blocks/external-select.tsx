import { useEffect, useRef, useState } from 'preact/hooks'
import type { Option } from '../../api-types.ts'
import { CloseIcon } from '../icons.tsx'
import { useBlockContext } from './block-context.ts'
import { stepOf } from './button.tsx'
import { type FieldProps, severalOf, useField } from './field.ts'
import { asNumber, asText, textOf } from './read.ts'

/** How long to wait for the next letter before the app is asked. */
const pauseMs = 200

/** A combobox whose options the app is asked for. https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */
export function ExternalSelect(props: FieldProps) {
  const { element, blockId } = props
  const { suggest } = useBlockContext()
  const { value, change, attributes } = useField(props)
  const { id } = attributes
  const [typed, setTyped] = useState<string>()
  const [options, setOptions] = useState<readonly Option[]>()
  const [active, setActive] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const isOpen = typed !== undefined && typed.length >= (asNumber(element['min_query_length']) ?? 3)
  const isMulti = asText(element['type']).startsWith('multi_')
  const several = isMulti ? severalOf(value, element) : []
  const isOne = !isMulti && value !== null && typeof value === 'object' && 'text' in value
  const chosen = isOne ? value.text.text : ''

  useEffect(() => {
    setOptions(undefined)
    setActive(0)
    if (!isOpen) return undefined
    let isLatest = true
    const search = async () => {
      const found = await suggest({ blockId, actionId: asText(element['action_id']), value: typed })
      if (isLatest) setOptions(found)
    }
    const timer = setTimeout(search, typed === '' ? 0 : pauseMs)
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
    const step = stepOf(event)
    if (step !== 0) setActive((active + step + options.length) % Math.max(1, options.length))
    else if (event.key === 'Enter') choose(options[active])
    else if (event.key === 'Escape') setTyped(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div class="combobox">
      {several.length > 0 && (
        <ul class="chosen row">
          {several.map((option) => (
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
      {props.input?.['optional'] === true && chosen !== '' && typed === undefined && (
        <button
          type="button"
          class="clear icon-button"
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
        <div ref={menu} class="popup" role="listbox" id={`${id}-list`} aria-label="Suggestions">
          {!options?.length && (
            <div role="option" aria-disabled="true" aria-selected="false" tabIndex={-1}>
              {options ? 'No results' : 'Searching…'}
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
