/** Routes XMLHttpRequest uploads (used for progress events) through mocked fetch. */
class TestUpload extends EventTarget {
  readonly upload = new EventTarget();
  status = 0;
  responseText = '';
  private method = '';
  private path = '';

  open(method: string, path: string): void {
    this.method = method;
    this.path = path;
  }

  setRequestHeader(): void {
    // Mocked answers ignore headers.
  }

  abort(): void {
    this.dispatchEvent(new Event('abort'));
  }

  send(file: File): void {
    void this.sendIt(file);
  }

  private async sendIt(file: File): Promise<void> {
    const { size } = file;
    this.upload.dispatchEvent(new ProgressEvent('progress', { loaded: size, total: size }));
    try {
      const answer = await fetch(this.path, { method: this.method, body: file });
      this.status = answer.status;
      this.responseText = await answer.text();
      this.dispatchEvent(new Event('load'));
    } catch {
      this.dispatchEvent(new Event('error'));
    }
  }
}

window.XMLHttpRequest = TestUpload as unknown as typeof XMLHttpRequest;
