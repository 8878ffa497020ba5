import { action } from '../../slack/blocks/actions.ts'

export const takeOver = action('home.take-over')
