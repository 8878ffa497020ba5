import { useRef } from 'preact/hooks'
import { useBlockContext } from './block-context.ts'
import { Button, Confirm } from './button.tsx'
import { PlainText, withCharacters } from './emoji.tsx'
import { ExternalSelect } from './external-select.tsx'
import { asValue, type FieldProps, optionsOf, useField } from './field.ts'
import { Menu } from './menu.tsx'
import { Picture } from './picture.tsx'
import { asList, asNumber, asObject, asText, type Json, textOf } from './read.ts'
import { Unknown } from './unknown.tsx'

function TextField(props: FieldProps) {
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

interface Entry {
  readonly value: string
  readonly text: string
}

/** What can be chosen: an element's own options, or the workspace's people or channels. */
function useEntries({ element }: FieldProps): readonly Entry[] {
  const { directory } = useBlockContext()
  const type = asText(element['type']).replace(/^multi_/, '')
  const named = ({ id, name }: { readonly id: string; readonly name: string }, sign: string) => ({
    value: id,
    text: `${sign}${name}`,
  })
  if (type === 'users_select') return directory.people.map((person) => named(person, '@'))
  if (type === 'conversations_select' || type === 'channels_select') {
    return directory.channels.map((channel) => named(channel, '#'))
  }
  return optionsOf(element).map(({ text, value }) => ({
    value: value ?? '',
    text: withCharacters(text.text),
  }))
}

function Select(props: FieldProps) {
  const { element } = props
  const { value, change, attributes } = useField(props)
  const entries = useEntries(props)
  const isMulti = asText(element['type']).startsWith('multi_')
  const chosen = Array.isArray(value) ? value : [asValue(value)]
  const placeholder = textOf(element['placeholder']) || 'Choose…'
  return (
    <select
      {...attributes}
      class="bk-field"
      multiple={isMulti}
      onChange={({ currentTarget }) => {
        const picked = [...currentTarget.selectedOptions].map((option) => option.value)
        change(isMulti ? picked : (picked[0] ?? '') || null)
      }}
    >
      {!isMulti && (
        <option value="" selected={chosen[0] === ''}>
          {placeholder}
        </option>
      )}
      {entries.map((entry) => (
        <option key={entry.value} value={entry.value} selected={chosen.includes(entry.value)}>
          {entry.text}
        </option>
      ))}
    </select>
  )
}

function Overflow({ element, blockId }: { readonly element: Json; readonly blockId: string }) {
  const { onAction, busy } = useBlockContext()
  const dialog = useRef<HTMLDialogElement>(null)
  const chosen = useRef('')
  const confirm = element['confirm'] === undefined ? undefined : asObject(element['confirm'])
  const actionId = asText(element['action_id'])
  const act = () => onAction({ blockId, actionId, choose: chosen.current })
  const items = asList(element['options']).map((option) => ({
    key: asText(option['value']),
    text: <PlainText text={textOf(option['text'])} />,
    onChoose: () => {
      chosen.current = asText(option['value'])
      if (confirm) dialog.current?.showModal()
      else act()
    },
  }))
  return (
    <>
      <Menu label="More" items={items} isBusy={busy === `${blockId}/${actionId}`} />
      {confirm && <Confirm confirm={confirm} dialog={dialog} onConfirm={act} />}
    </>
  )
}

/** Radio buttons, or checkboxes. */
function Choices(props: FieldProps) {
  const { value, change, id, attributes } = useField(props)
  const isMulti = asText(props.element['type']) === 'checkboxes'
  const chosen = Array.isArray(value) ? value : [asValue(value)].filter((one) => one !== '')
  const { id: _own, ...described } = attributes
  return (
    <div class="bk-choices" {...described} role={isMulti ? 'group' : 'radiogroup'} id={id}>
      {optionsOf(props.element).map(({ text, value: own = '' }) => (
        <label key={own}>
          <input
            type={isMulti ? 'checkbox' : 'radio'}
            name={id}
            checked={chosen.includes(own)}
            onChange={() =>
              change(
                isMulti
                  ? chosen.includes(own)
                    ? chosen.filter((one) => one !== own)
                    : [...chosen, own]
                  : own,
              )
            }
          />
          <PlainText text={text.text} />
        </label>
      ))}
    </div>
  )
}

/** Anything that can be clicked, chosen or filled in. */
export function Element(props: FieldProps) {
  const type = asText(props.element['type'])
  switch (type) {
    case 'button':
      return <Button element={props.element} blockId={props.blockId} />
    case 'overflow':
      return <Overflow element={props.element} blockId={props.blockId} />
    case 'image':
      return (
        <Picture
          url={asText(props.element['image_url'])}
          alt={asText(props.element['alt_text'])}
          kind="bk-thumb"
        />
      )
    case 'external_select':
    case 'multi_external_select':
      return <ExternalSelect {...props} />
    case 'radio_buttons':
    case 'checkboxes':
      return <Choices {...props} />
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
    case 'datepicker':
    case 'timepicker':
      return <TextField {...props} />
    default:
      return /_select$/.test(type) ? <Select {...props} /> : <Unknown what={`an element of type ${type}`} />
  }
}
