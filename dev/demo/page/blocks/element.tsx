import { useBlockContext } from './block-context.ts'
import { Button, Overflow } from './button.tsx'
import { ExternalSelect } from './external-select.tsx'
import { asValue, type FieldProps, listOptions, useField } from './field.ts'
import { asNumber, asText, readText } from './read.ts'

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
    <fieldset class="choices stack" {...attributes}>
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
