import { useRef, useState } from 'preact/hooks'
import type { Option } from '../../api-types.ts'
import { CloseIcon } from '../icons.tsx'
import { Button, Overflow } from './button.tsx'
import { asValue, type FieldProps, listOptions, listSelected, useBlockContext, useField } from './field.ts'
import { asNumber, asText, readText } from './read.ts'

interface ChosenProps {
  readonly options: readonly Option[]
  readonly onRemove: (option: Option) => void
}

const ChosenOptions = ({ options, onRemove }: ChosenProps) => (
  <ul class="chosen row">
    {options.map((option) => (
      <li key={option.value} class="row">
        {option.text.text}
        <button
          type="button"
          class="icon-button"
          aria-label={`Remove ${option.text.text}`}
          onClick={() => onRemove(option)}
        >
          <CloseIcon />
        </button>
      </li>
    ))}
  </ul>
)

/** A text field with suggestions from the app. */
function ExternalSelect(props: FieldProps) {
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
        <ChosenOptions options={selected} onRemove={(option) => change(without(option))} />
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

function TextField(props: FieldProps) {
  const { element } = props
  const { value, change, attributes } = useField(props)
  const shared = {
    ...attributes,
    class: 'field',
    value: asValue(value),
    placeholder: readText(element['placeholder']) || undefined,
    maxLength: asNumber(element['max_length']),
    autoComplete: 'off',
    onInput: (event: { readonly currentTarget: HTMLInputElement }) =>
      change(event.currentTarget.value || null),
  }
  switch (element['type']) {
    case 'datepicker':
      return <input {...shared} type="date" />
    case 'timepicker':
      return <input {...shared} type="time" />
    case 'number_input':
      return <input {...shared} type="number" />
    default:
      return <input {...shared} type="text" />
  }
}

/** Returns an element's options, or the workspace's people or channels. */
function useEntries({ element }: FieldProps): readonly { readonly value: string; readonly text: string }[] {
  const { directory } = useBlockContext()
  const type = asText(element['type'])
  if (type.endsWith('users_select'))
    return directory.people.map(({ id, name }) => ({ value: id, text: `@${name}` }))
  if (type.endsWith('conversations_select'))
    return directory.channels.map(({ id, name }) => ({ value: id, text: `#${name}` }))
  return listOptions(element).map(({ text, value = '' }) => ({ value, text: text.text }))
}

function Select(props: FieldProps) {
  const { element } = props
  const { value, change, attributes } = useField(props)
  const isMulti = asText(element['type']).startsWith('multi_')
  const chosen = Array.isArray(value) ? value : [asValue(value)]
  return (
    <select
      {...attributes}
      class="field"
      multiple={isMulti}
      onChange={({ currentTarget }) => {
        const picked = [...currentTarget.selectedOptions].map((option) => option.value)
        change(isMulti ? picked : picked[0] || null)
      }}
    >
      {!isMulti && (
        <option value="" selected={chosen[0] === ''}>
          {readText(element['placeholder']) || 'Choose…'}
        </option>
      )}
      {useEntries(props).map((entry) => (
        <option key={entry.value} value={entry.value} selected={chosen.includes(entry.value)}>
          {entry.text}
        </option>
      ))}
    </select>
  )
}

function Checkboxes(props: FieldProps) {
  const { value, change, attributes } = useField(props)
  const chosen = Array.isArray(value) ? value : []
  return (
    <fieldset
      class="choices stack"
      {...attributes}
      aria-labelledby={props.input ? `${attributes.id}-label` : undefined}
    >
      {listOptions(props.element).map(({ text, value: own = '' }) => {
        const isChosen = chosen.includes(own)
        return (
          <label key={own}>
            <input
              type="checkbox"
              checked={isChosen}
              onChange={() => change(isChosen ? chosen.filter((one) => one !== own) : [...chosen, own])}
            />
            {text.text}
          </label>
        )
      })}
    </fieldset>
  )
}

/** Stands out, because an element that can't be drawn was never checked. */
export const Unknown = ({ what }: { readonly what: string }) => (
  <p class="unknown" role="alert">
    This page can't draw {what}.
  </p>
)

/** Draws an interactive element of a type that the app uses. */
export function Element(props: FieldProps) {
  const type = asText(props.element['type'])
  switch (type) {
    case 'button':
      return <Button {...props} />
    case 'overflow':
      return <Overflow {...props} />
    case 'external_select':
    case 'multi_external_select':
      return <ExternalSelect {...props} />
    case 'checkboxes':
      return <Checkboxes {...props} />
    case 'plain_text_input':
    case 'number_input':
    case 'datepicker':
    case 'timepicker':
      return <TextField {...props} />
    default:
      return type.endsWith('_select') ? (
        <Select {...props} />
      ) : (
        <Unknown what={`an element of type ${type}`} />
      )
  }
}
