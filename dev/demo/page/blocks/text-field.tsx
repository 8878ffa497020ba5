import { asValue, type FieldProps, useField } from './field.ts'
import { asNumber, asObject, asText, textOf } from './read.ts'

export function TextField(props: FieldProps) {
  const { element } = props
  const { value, change, attributes } = useField(props)
  const shared = {
    ...attributes,
    class: 'bk-field',
    value: asValue(value),
    placeholder: textOf(element['placeholder']) || undefined,
    maxLength: asNumber(element['max_length']),
    autoComplete: 'off',
  }
  if (element['multiline'] === true) {
    return (
      <textarea
        {...shared}
        rows={4}
        onInput={(event) => change(event.currentTarget.value, { isTyping: true })}
      />
    )
  }
  const type = asText(element['type'])
  const triggers = asObject(element['dispatch_action_config'])['trigger_actions_on']
  const tellsEach = Array.isArray(triggers) && triggers.includes('on_character_entered')
  const isPicker = type === 'datepicker' || type === 'timepicker'
  const take = (text: string) =>
    change(isPicker && text === '' ? null : text, { isTyping: props.isInput && !isPicker && !tellsEach })
  const input = {
    ...shared,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => {
      if (props.isInput) take(event.currentTarget.value)
    },
    onChange: (event: { readonly currentTarget: HTMLInputElement }) => {
      if (!props.isInput) take(event.currentTarget.value)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || props.dispatches !== true || isPicker) return
      event.preventDefault()
      change(asValue(value))
    },
  }
  switch (type) {
    case 'datepicker':
      return <input {...input} type="date" />
    case 'timepicker':
      return <input {...input} type="time" />
    case 'number_input':
      return <input {...input} type="number" />
    case 'email_text_input':
      return <input {...input} type="email" />
    case 'url_text_input':
      return <input {...input} type="url" />
    default:
      return <input {...input} type="text" />
  }
}
