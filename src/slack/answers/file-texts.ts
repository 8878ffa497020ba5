import type { FileRefusal } from '../api/files.ts'
import { escapeText } from '../blocks/blocks.ts'

/** Why Slack takes no file from Callboard, with what to do. mrkdwn. @param installUrl where the app can be installed anew; none with one workspace's token */
export function fileRefusal(code: FileRefusal, installUrl: string | undefined): string {
  switch (code) {
    case 'missing_scope': {
      const anew =
        installUrl === undefined
          ? 'Whoever runs Callboard needs to install it in this workspace again.'
          : `<${escapeText(installUrl)}|Install it again> to give it that permission.`
      return `I can't send the file: Callboard is missing the permission to send files, since it was installed before it sent any. ${anew}`
    }
    case 'file_uploads_disabled':
    case 'file_uploads_except_images_disabled':
      return "I can't send the file: this workspace doesn't allow uploads. An owner of the workspace can allow them in Slack's settings."
    case 'file_type_not_allowed':
      return "I can't send the file: this workspace doesn't allow CSV files. An owner of the workspace can allow them in Slack's settings."
    case 'file_upload_size_restricted':
      return "I can't send the file: this workspace doesn't allow files of this size."
  }
}
