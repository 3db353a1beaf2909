import { memo } from 'react';
import { CopyButton } from '../../design';
import { splitText } from './split-text';

/** A reply as it was written, with its code set apart. Nothing in it becomes a part of the page. */
export const ReplyText = memo(function ReplyText({ text, isRaw }: { readonly text: string; readonly isRaw: boolean }) {
  const pieces = isRaw ? [{ kind: 'text' as const, language: '', text }] : splitText(text);
  return (
    <div className="playground-text">
      {pieces.map((piece, index) =>
        // A reply only grows, so that its pieces keep their places.
        piece.kind === 'code' ? <Code key={index} language={piece.language} text={piece.text} /> : <Words key={index} text={piece.text} />,
      )}
    </div>
  );
});

const Words = memo(function Words({ text }: { readonly text: string }) {
  return <p className="playground-words">{text}</p>;
});

const Code = memo(function Code({ language, text }: { readonly language: string; readonly text: string }) {
  return (
    <div className="playground-code">
      <div className="spread">
        <span className="quiet">{language === '' ? 'Code' : language}</span>
        <CopyButton text={text} label="Copy the code" />
      </div>
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
});
